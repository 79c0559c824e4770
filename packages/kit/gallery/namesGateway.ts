import type { IncomingMessage } from 'node:http'

/** The contents of a mock response of the name endpoints. */
export type NamesAnswer = { status?: number; body: unknown }

const zone = 'book.eth'
/** Names that others have registered. */
const taken = new Set(['mira', 'support', 'tomas'])

/**
 * The name endpoints of the mock gateway. The mode selects the behavior:
 * `noNames` has no zone, `longZone` has a long one, `named` has a name for
 * every account, and `unchecked` returns neither registered names nor
 * addresses. `nameTaken`, `tooManyNames`, `clock` and `wrongSigner` refuse the
 * registration, `nameLost` loses the response, and `registering` never
 * responds.
 */
export async function answerNames(
  request: IncomingMessage,
  url: URL,
  mode: string,
): Promise<NamesAnswer | 'never'> {
  const [, , , kind, value = ''] = url.pathname.split('/')
  const own = mode === 'longZone' ? 'northern-archipelago-lighthouse-keepers.example.eth' : zone
  if (mode === 'noNames') return refusal(404, 'path')
  switch (kind) {
    case 'zone':
      return { body: { zone: own } }
    case 'reverse': {
      return { body: mode === 'named' ? [{ name: `mira-northey.${own}` }] : [] }
    }
    case 'suggestions':
      if (mode === 'unchecked') return refusal(503, 'server')
      return {
        body: {
          suggestions: [value, `${value}-north`, `${value}-47`, `${value}-wallet`].map(
            (label, index) => ({
              name: `${label}.${own}`,
              registered: index === 0 && taken.has(label),
            }),
          ),
        },
      }
    case 'account': {
      if (request.method === 'GET') {
        if (mode === 'unchecked') return refusal(503, 'server')
        const addresses = { 60: { address: '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0' } }
        return value === 'tomas.book.alt'
          ? { body: { name: value, addresses } }
          : refusal(404, 'name')
      }
      const codes: Record<string, string> = {
        nameTaken: 'name_taken',
        tooManyNames: 'too_many_names',
        clock: 'stale_message',
        wrongSigner: 'wrong_signature',
      }
      if (mode === 'registering') return 'never'
      if (mode === 'nameLost') return refusal(503, 'server')
      if (codes[mode]) return refusal(400, 'name', codes[mode])
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const { address, message } = JSON.parse(Buffer.concat(parts).toString()) as {
        address: string
        message: string
      }
      const { name } = JSON.parse(message) as { name: string }
      return { body: { name, addresses: { 60: { address } } } }
    }
    default:
      return refusal(404, 'path')
  }
}

function refusal(status: number, field: string, code?: string): NamesAnswer {
  const description = 'The mock gateway refused the request.'
  return { status, body: { reasons: [{ field, description, ...(code && { code }) }] } }
}
