import { settings } from '../config.ts'

const width = Math.max(...Object.values(settings).map(({ variable }) => variable.length)) + 2

export const help = `Gatefold: the servers behind the wallet modal.

  gatefold serve [--roles gateway] [--host 127.0.0.1] [--port 3001]
  gatefold project create|set|list      more: gatefold help project
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
  --domain DOMAIN         a domain the project has proven to own; repeat for more
  --analytics on|off      whether events are stored
  --active on|off         off refuses every request

With set, --origin and --domain replace the list; the other features stay as they are.
`
