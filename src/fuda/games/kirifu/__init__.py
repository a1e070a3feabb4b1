"""Kirifu: beat what is played at you, card by card, or take it; be rid of your hand when the stock is gone."""
