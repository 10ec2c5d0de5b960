/**
 * A site's own back end, in Node without packages: exchanges its secret key for a session. The key stays on the server; the
 * page gets the rights of its embed, for 15 minutes, bound to its own origin.
 */
export async function mintSession({ api, embed, secretKey, origin, userRef }) {
  const answer = await fetch(`${api}/embed/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ embed_id: embed, origin, user_ref: userRef }),
  })
  return { status: answer.status, body: await answer.text() }
}

/** Answers `POST /my/embed-session`. Check here that the user is signed in to your site, and answer 401 otherwise. */
export async function answerSession(request, response, site) {
  // A page of another site can send this request too, but never with its own origin here.
  if (request.method !== 'POST' || request.headers['sec-fetch-site'] !== 'same-origin') {
    response.writeHead(403).end()
    return
  }
  const { status, body } = await mintSession({ ...site, userRef: 'ann' })
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body)
}
