"""stub"""

from pages.kit.frame import open_page

page = open_page(__file__)
