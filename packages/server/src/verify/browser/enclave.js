/**
 * Runs in the page of `GET /{projectId}`, the enclave of older official clients: a page tells it the
 * hash of what it is going to send, and it tells the server which origin said so.
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
      // The service is gone, or the page is being left: nobody is known, and there is nothing to report.
    })
  })
  // It tells nothing, and nobody is known yet.
  parent.postMessage('verify_ready', '*')
})()
