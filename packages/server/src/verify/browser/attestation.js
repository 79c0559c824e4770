/**
 * Runs in the page of `GET /v3/attestation`, framed by the page that is to be attested. Who that is
 * comes from the browser alone: the page's own address says what somebody claims.
 */
void (async () => {
  const ticket = document.querySelector('meta[name=ticket]')?.getAttribute('content')
  if (parent === window || !ticket) return
  // Not every browser tells a page who frames it; all but the most private ones tell who asked for it.
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
  // A page without an origin of its own (`null`) cannot be named; what it gets says “not verified”.
  parent.postMessage(message, origin && origin !== 'null' ? origin : '*')
})().catch(() => {
  // The service is gone, or the page is being left: there is no attestation, and nothing to report.
})
