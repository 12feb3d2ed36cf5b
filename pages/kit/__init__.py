"""What the pages share. Import from its modules; tests/pages/test_imports.py lists those that know no Streamlit."""
