def command() -> None:
    """later"""
