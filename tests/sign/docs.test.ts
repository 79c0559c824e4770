import { readdir, readFile } from 'node:fs/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { account, next, useClients } from './clients.ts'
import { connect, restore, sign } from './examples/app.ts'
import { answerSignIn, signIn } from './examples/signIn.ts'
import { startWallet } from './examples/wallet.ts'

const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)

const relay = useClients()

/** The code between `// #region` and `// #endregion`, without indentation. */
async function readRegions() {
  const folder = new URL('examples/', import.meta.url)
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8')),
  )
  return texts.flatMap((text) =>
    Array.from(
      text.matchAll(/^( *)\/\/ #region [^\n]*\n(.*?)\n *\/\/ #endregion$/gms),
      ([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    ),
  )
}

test('every sample in docs/sign.md is a region of an example file, word for word', async () => {
  const page = await readFile(new URL('../../docs/sign.md', import.meta.url), 'utf8')
  const samples = Array.from(page.matchAll(/^```ts\n(.*?)\n```$/gms), ([, code]) => code)
  expect(new Set(samples)).toEqual(new Set(await readRegions()))
})

test('the sample app and the sample wallet work together', async () => {
  const requested: (string | undefined)[] = []
  const wallet = startWallet(relay.relayUrl, {
    account,
    async confirm({ method }) {
      requested.push(method)
      return requested.length < 3
    },
    sign: async () => '0xsigned',
    showError: (error) => expect.unreachable(String(error)),
  })
  const storage = createMemoryStore()
  const connected = await connect(
    relay.relayUrl,
    (uri) => void wallet.pair({ uri }).catch(expect.unreachable),
    storage,
  )
  expect(await sign(connected)).toBe('0xsigned')
  expect(await sign(connected)).toBeUndefined()
  expect(requested).toEqual([undefined, 'personal_sign', 'personal_sign'])
  await connected.client.close()
  const again = relay.create('app', { storage })
  expect(await restore(again, () => expect.unreachable())).toMatchObject({
    topic: connected.session.topic,
  })
  await wallet.close()
})

test('the sample sign-in works', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  answerSignIn(wallet, signer.address, (message) => signer.signMessage({ message }))
  const { auths, session } = await signIn(app, (uri) => void wallet.pair({ uri }))
  expect(auths).toHaveLength(1)
  const request = next<{ id: number }>((listener) => wallet.on('session_request', listener))
  void app
    .request({
      topic: session?.topic ?? '',
      chainId: 'eip155:1',
      request: { method: 'personal_sign', params: [] },
    })
    .catch(() => undefined)
  expect(await request).toMatchObject({ topic: session?.topic })
})
