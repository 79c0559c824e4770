import { settings } from '../config.ts'

const width = Math.max(...Object.values(settings).map(({ variable }) => variable.length)) + 2

export const help = `Gatefold: the servers behind the wallet modal.

  gatefold serve [--roles gateway,relay,verify] [--host 127.0.0.1] [--port 3001]
  gatefold project create|set|list      more: gatefold help project
  gatefold scam add|remove|list|import  more: gatefold help scam
  gatefold verify rotate                more: gatefold help verify
  gatefold --help

Settings come from the environment:

${Object.values(settings)
  .map(({ variable, about }) => `  ${variable.padEnd(width)}${about}`)
  .join('\n')}
`

export const projectHelp = `Projects: the tenants of a server, with their origins and features.

  gatefold project list [--json]
  gatefold project create [--id ID] --name NAME [options]
  gatefold project set ID [options]

  --name NAME             shown only to you
  --origin ORIGIN         an origin that may use the project, such as https://example.com; repeat for more.
                          https://*.example.com: its subdomains; http://localhost:*: any port; *: all
  --default-origins on|off   also localhost, *.pages.dev, *.vercel.app, *.ngrok-free.app and two mobile
                          hosts (default: off)
  --feature ID=STATE      on, off, local (the page decides) or a list, such as social_login=email,google
  --domain DOMAIN         a domain that the project owns, such as example.com; pages on it and on its
                          subdomains are attested to wallets; repeat for more
  --analytics on|off      whether events are stored
  --active on|off         with off, every request is refused

With set, --origin and --domain replace the list; other features do not change.
`

export const scamHelp = `Scam list: domains that wallets warn about.

  gatefold scam list [--json]
  gatefold scam add DOMAIN …
  gatefold scam remove DOMAIN …
  gatefold scam import FILE     one domain per line; text after # is a comment

A domain includes its subdomains. Running servers apply a change at once.
`

export const verifyHelp = `Verify service: the key that signs attestations.

  gatefold verify rotate              the new key signs after 10 s, once every process has loaded it; the old
                                      key stays valid until its attestations have expired
  gatefold verify rotate --at-once    for a leaked key: the old key is deleted now
`
