/** The second segment of the address, decoded once. The router's own leaves %2F and its like as they are. */
export function readPathToken(): string {
  const written = location.pathname.split('/')[2] ?? ''
  try {
    return decodeURIComponent(written)
  } catch {
    return written // A percent sign that encodes nothing: the server says that the link is not valid.
  }
}
