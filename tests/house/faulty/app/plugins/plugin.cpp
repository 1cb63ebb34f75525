// breach: folder
