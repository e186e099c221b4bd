"""Makes a failing module smaller, by lines."""


def without_lines(text, still, limit=150):
    """Leaves out lines, halves first, as long as `still` holds."""
    parts = text.split(b"\n")
    size = max(1, len(parts) // 2)
    while size and limit > 0:
        first = 0
        while first < len(parts) and limit > 0:
            limit -= 1
            fewer = parts[:first] + parts[first + size:]
            if still(b"\n".join(fewer)):
                parts = fewer
            else:
                first += size
        size //= 2
    return b"\n".join(parts)
