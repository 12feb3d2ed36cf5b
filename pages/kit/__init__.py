"""What the pages share. Import from its modules; only session, frame and viewport know Streamlit."""
