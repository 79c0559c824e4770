/**
 * Runs in the page of `GET /{projectId}`, the enclave for older official clients. The framing page posts the
 * hash of a message that it is about to send. This script sends the hash and that page's origin to the
 * server.
 */
;(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  if (parent === window || !script) return
  const source = new URL(script.src)
  const token = source.searchParams.get('token') ?? ''
  addEventListener('message', ({ data, origin, source: sender }) => {
    if (sender !== parent || typeof data !== 'string' || !/^[0-9a-f]{64}$/.test(data)) return
    void fetch(new URL('attestation', source), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify({ attestationId: data, origin }),
    }).catch(() => {
      // The service is unreachable, or the page unloads. The message then has no attestation.
    })
  })
  // The framing page's origin is not known yet, and this message contains no secret.
  parent.postMessage('verify_ready', '*')
})()
