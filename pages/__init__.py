"""The interactive pages: one folder a concept, ``kit`` for what they share, ``index.py`` as the script."""
