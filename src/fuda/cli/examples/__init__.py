"""Rules as examples: YAML files that `fuda check` plays."""
