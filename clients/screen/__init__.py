"""The full screen of `daifugo play`. Only this needs textual, and it is loaded on use."""
