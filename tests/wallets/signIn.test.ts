import { createPhoneWallet, createTestWallet } from '@gatefold/wallets/testing'
import { expect, onTestFinished, test } from 'vitest'
import { useClients } from '../sign/clients.ts'

const clients = useClients()

test('attack: a sign-in is shown with the methods that its session permits', async () => {
  const chains = [{ id: 1, rpcUrl: 'http://127.0.0.1:1' }]
  const wallet = createTestWallet({ chains, approval: 'window' })
  const phone = createPhoneWallet({ sign: clients.create('phone'), wallet })
  onTestFinished(() => {
    phone.destroy()
    wallet.destroy()
  })
  const methods = ['eth_sendTransaction', 'personal_sign']
  const { uri = '', approval } = await clients.create('app').authenticate({
    chains: ['eip155:1'],
    domain: 'app.example',
    uri: 'https://app.example/login',
    nonce: 'a1b2c3d4e5f60718',
    methods,
  })
  await phone.pair(uri)
  const request = await wallet.controls.waitFor('wc_sessionAuthenticate')
  expect(request.details).toMatchObject({ kind: 'signIn', methods })
  request.approve()
  const { session } = await approval()
  expect(session?.namespaces['eip155']?.methods).toEqual(methods)
})
