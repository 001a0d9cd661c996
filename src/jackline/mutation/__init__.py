"""What a call would change in files, and what sort of change it is: the texts before and after, a preview, a class."""
