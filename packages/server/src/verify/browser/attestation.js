/**
 * Runs in the page of `GET /v3/attestation`, framed by the page to attest. That page's origin comes from
 * the browser; the query of this page is only a claim.
 */
void (async () => {
  const ticket = document.querySelector('meta[name=ticket]')?.getAttribute('content')
  if (parent === window || !ticket) return
  // Firefox has no `ancestorOrigins`; the referrer is then the framing page, unless that page hides it.
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
  // An opaque origin (`null`) cannot be a target; its attestation is unverified.
  parent.postMessage(message, origin && origin !== 'null' ? origin : '*')
})().catch(() => {
  // The service is unreachable or the page unloads: without an attestation the client times out.
})
