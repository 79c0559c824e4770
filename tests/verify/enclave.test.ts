import { describe, expect, test } from 'vitest'
import { useVerify } from './useVerify.ts'

const { check, host, ids, loseService, service, visit } = useVerify()

describe('the enclave for older clients', () => {
  test('registers the hash of a message with the origin of the page that posts it', async () => {
    const page = await visit('localhost')
    const origin = `http://localhost:${host().port}`
    const message = await page.evaluate(
      (url) => window.verifyApi.frame(url, 5_000),
      `${service().url}/harbor`,
    )
    expect(message).toEqual({ data: 'verify_ready', origin: service().url })
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), ids.decryptedId)
    await expect.poll(() => check(undefined, origin)).toMatchObject({ validation: 'VALID', origin })
  })

  test('error: ignores messages from windows other than its parent', async () => {
    host().pages.set(
      '/sibling.html',
      `<script>
        parent.frames[0].postMessage('${ids.decryptedId}', '*')
        parent.postMessage('sent', '*')
      </script>`,
    )
    const page = await visit('localhost')
    const posted: string[] = []
    page.on('request', (request) => posted.push(request.method()))
    await page.evaluate((url) => window.verifyApi.frame(url, 5_000), `${service().url}/harbor`)
    const sibling = `http://127.0.0.1:${host().port}/sibling.html`
    await page.evaluate((url) => window.verifyApi.frame(url, 5_000), sibling)
    // The page's own message is sent later; the enclave handles only that message.
    const own = ids.encryptedId
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), own)
    const request = (await answered).request()
    expect(request.postDataJSON()).toEqual({
      attestationId: own,
      origin: `http://localhost:${host().port}`,
    })
    expect(posted.filter((method) => method === 'POST')).toHaveLength(1)
  })

  test('error: causes no uncaught error in the page if the service has stopped', async () => {
    const page = await visit('localhost')
    const uncaught = await loseService(page)
    await page.evaluate((url) => window.verifyApi.frame(url, 5_000), `${service().url}/harbor`)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), ids.encryptedId)
    await failed
    expect(await page.frames()[1]!.evaluate('document.readyState')).toBe('complete')
    expect(uncaught).toEqual([])
  })

  test('error: cannot be framed by another origin', async () => {
    const page = await visit('evil.test')
    const message = await page.evaluate(
      (url) => window.verifyApi.frame(url, 1_000),
      `${service().url}/harbor`,
    )
    expect(message).toBeUndefined()
  })
})
