import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SignInBody } from './SignInBody.tsx'

/** The visible text of the body for a sign-in that grants methods. */
function textFor(methods: string[]) {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const details = {
    kind: 'signIn',
    account,
    domain: 'app.example',
    message: 'Hello',
    methods,
  } as const
  return renderToStaticMarkup(<SignInBody details={details} />)
    .replaceAll(/<[^>]+>/g, '\n')
    .split(/\n+/)
    .filter(Boolean)
}

test('attack: a sign-in is shown with all methods that the app may request afterwards', () => {
  expect(textFor(['personal_sign', 'eth_sendTransaction', 'evil_method'])).toEqual([
    'This app will be able to',
    'See your accounts and balances',
    'Request signatures',
    'Request transactions',
    'All 3 requested methods',
    'personal_sign · eth_sendTransaction · evil_method',
    'Hello',
    'Account',
    '0xf39F…2266',
    'Signing is free and sends no transaction. It also connects the site.',
  ])
})

test('a sign-in that grants no methods does not connect the site', () => {
  expect(textFor([])).toEqual([
    'Hello',
    'Account',
    '0xf39F…2266',
    'Signing is free and sends no transaction.',
  ])
})
