"""Tests of the files with which a server is deployed."""
