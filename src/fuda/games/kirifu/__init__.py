"""Kirifu: beat what is played at you, card by card, or take it; get rid of your hand once the stock is empty."""
