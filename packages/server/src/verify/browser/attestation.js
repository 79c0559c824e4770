/**
 * Runs in the page of `GET /v3/attestation`, inside a frame of the page to attest. The origin of the framing
 * page is read from the browser, because the query of this page is only a claim.
 */
void (async () => {
  const ticket = document.querySelector('meta[name=ticket]')?.getAttribute('content')
  if (parent === window || !ticket) return
  // Firefox has no `ancestorOrigins`. The referrer is the page that has navigated this frame. If the server can verify
  // its origin, `frame-ancestors` ensures that the framing page has the same one.
  const ancestors = location.ancestorOrigins
  const origin = ancestors ? ancestors[0] : document.referrer.match(/^https?:\/\/[^/]+/)?.[0]
  const answer = await fetch(location.pathname + location.search, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket, origin }),
  })
  if (!answer.ok) return
  const { attestation } = await answer.json()
  const message = JSON.stringify({ type: 'verify_attestation', attestation })
  // An opaque origin (`null`) cannot be a target. Its attestation is unverified.
  parent.postMessage(message, origin && origin !== 'null' ? origin : '*')
})().catch(() => {
  // The service is unreachable, or the page unloads. The client times out without an attestation.
})
