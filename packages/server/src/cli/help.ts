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

export const projectHelp = `Projects: who a page belongs to, and what it may do.

  gatefold project list [--json]
  gatefold project create [--id ID] --name NAME [options]
  gatefold project set ID [options]

  --name NAME             shown to you only
  --origin ORIGIN         a page that may use it, as https://example.com; repeat for more.
                          https://*.example.com: its subdomains; http://localhost:*: any port; *: all
  --default-origins on|off   also localhost, *.pages.dev, *.vercel.app, *.ngrok-free.app (on)
  --feature ID=STATE      on, off, local (the page decides) or a list: social_login=email,google
  --domain DOMAIN         a domain the project has proven to own, as example.com; its pages and those
                          of its subdomains are attested to wallets; repeat for more
  --analytics on|off      whether events are stored
  --active on|off         off refuses every request

With set, --origin and --domain replace the list; the other features stay as they are.
`

export const scamHelp = `Scam list: domains whose pages wallets are warned of.

  gatefold scam list [--json]
  gatefold scam add DOMAIN …
  gatefold scam remove DOMAIN …
  gatefold scam import FILE     one domain a line; what follows a # is a remark

A domain stands for its subdomains too. Running servers see a change at once.
`

export const verifyHelp = `Verify service: the key that signs attestations.

  gatefold verify rotate              a new key signs in 10 s, when every process knows it; the old one
                                      stays good until what it signed has run out
  gatefold verify rotate --at-once    for a key that leaked: the old one is forgotten now
`
