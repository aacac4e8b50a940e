"""The rules of Daifugo as pure functions over plain values. Read `game.py` first."""
