/** The result that a provider sends to the frame through the visitor's browser. */
export type ProviderResult = { url: URL; form: URLSearchParams | undefined }

/**
 * Logs in on the page of a local provider, as a browser would: with cookies, redirects and forms.
 *
 * @param options.answer - `no` for a visitor who cancels.
 * @returns the request with which the provider redirects to the frame.
 */
export async function visitProvider(
  uri: string,
  options: { email?: string; answer?: 'yes' | 'no' } = {},
): Promise<ProviderResult> {
  const { email = 'ada@example.com', answer = 'yes' } = options
  const cookies = new Map<string, string>()
  let url = new URL(uri)
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    if (url.pathname.startsWith('/social/')) return { url, form }
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      continue
    }
    const page = await response.text()
    const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1]
    if (action === undefined) throw new Error(`${response.status} without a form: ${page}`)
    form = new URLSearchParams(
      [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
      ),
    )
    if (page.includes('name="answer"')) {
      form.set('email', email)
      form.set('answer', answer)
    }
    url = new URL(action.replaceAll('&amp;', '&'), url)
  }
  throw new Error('The provider does not redirect to the frame.')
}
