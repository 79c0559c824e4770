import { settings } from '../config.ts'

const width = Math.max(...Object.values(settings).map(({ variable }) => variable.length)) + 2

const list = Object.values(settings)
  .map(({ variable, about }) => `  ${variable.padEnd(width)}${about}`)
  .join('\n')

const help = `Gatefold: the servers behind the wallet modal.

  gatefold serve                          runs the server
  gatefold project create|set|list        projects: the sites that use the server
  gatefold doctor                         checks the settings and the services that the server needs
  gatefold backup open FILE               opens an encrypted backup of a wallet
  gatefold scam add|remove|list|import    domains that wallets warn about
  gatefold names signer|rotate|remove     names of accounts, and the key that signs answers about them
  gatefold sponsor set|stop|show          operations of smart accounts that a project pays for
  gatefold verify rotate                  the key that signs attestations
  gatefold help COMMAND                   options and examples

Examples:

  gatefold serve
  gatefold project create my-site --origin https://my.site
  gatefold doctor

Settings are environment variables; gatefold help serve lists them.
`

const serve = `Server: runs until it receives SIGTERM or SIGINT.

  gatefold serve [--roles gateway,relay,verify] [--host 127.0.0.1] [--port 3001]

The options override the settings of the same name. Without --port and GATEFOLD_PORT, the server uses port
3001 or the next free one.

Examples:

  gatefold serve
  gatefold serve --host 0.0.0.0 --port 8080
  gatefold serve --roles relay --port 3011

Settings are environment variables, for every command:

${list}
`

const project = `Projects: the tenants of a server, with their origins and features.

  gatefold project list [--json]
  gatefold project create ID [options]
  gatefold project set ID [options]

  --name NAME             shown to you, and in the mails of the secure frame (default: the id)
  --origin ORIGIN         an origin that may use the project, such as https://example.com; repeat for more.
                          https://*.example.com: its subdomains; http://localhost:*: any port; *: all
  --default-origins on|off   also localhost, *.pages.dev, *.vercel.app, *.ngrok-free.app and two mobile
                          hosts (default: off)
  --feature ID=STATE      on, off, local (the page decides) or a list, such as social_login=email,google
  --domain DOMAIN         a domain that the project owns, such as example.com; pages on it and on its
                          subdomains are attested to wallets; repeat for more
  --zone ZONE             the zone of the names that visitors register, such as my-site.eth; default: the zone of
                          the default project, which is gatefold.alt unless you set another
  --analytics on|off      whether events are stored
  --confirm-devices on|off  whether a new device is confirmed by a mailed link
  --recovery METHODS      how the wallets of the secure frame are restored on a new device: some of automatic,
                          passkey, password; default: all
  --passkey-login on|off  whether visitors can log in to the secure frame with a passkey alone
  --active on|off         with off, every request is rejected

With set, --origin and --domain replace the list; other features do not change.

Examples:

  gatefold project create my-site --origin https://my.site
  gatefold project set my-site --origin https://my.site --origin 'http://localhost:*'
  gatefold project set my-site --domain my.site --feature swap=off
  gatefold project set default --zone my-site.eth
  gatefold project list --json
`

const doctor = `Doctor: checks the settings and, from this machine, the services that the server needs. Changes nothing.

  gatefold doctor [--url URL] [--json]

  --url URL    a public URL of the server, such as https://gate.my.site, whose TLS certificate is checked;
               repeat for more. The URLs in GATEFOLD_RELAY_URLS are always checked.
  --json       prints {"ok": …, "findings": […]}

It checks the origins of every project, the chain id and latest block of every node in GATEFOLD_RPC_URLS,
database, Redis, clock, and TLS certificates. It reports each problem with a fix. The exit code is 1 if it
finds an error, and 0 if it finds only warnings.

Examples:

  gatefold doctor
  gatefold doctor --url https://gate.my.site
  gatefold doctor --json
`

const scam = `Scam list: domains that wallets warn about.

  gatefold scam list [--json]
  gatefold scam add DOMAIN …
  gatefold scam remove DOMAIN …
  gatefold scam import FILE     one domain per line; text after # is a comment

A domain includes its subdomains. Running servers apply a change at once.

Examples:

  gatefold scam add phishing.example drain.example
  gatefold scam remove phishing.example
  gatefold scam list
`

const verify = `Verify service: the key that signs attestations.

  gatefold verify rotate              the new key signs after 10 s, once every process has loaded it; the old
                                      key stays valid until its attestations have expired
  gatefold verify rotate --at-once    for a leaked key: the old key is deleted now

Examples:

  gatefold verify rotate
  gatefold verify rotate --at-once
`

const names = `Names: the registry of account names.

  gatefold names signer         prints the address of the key that signs answers about names. A resolver
                                contract in ENS must know it
  gatefold names rotate         for a leaked key: replaces the key and prints the new address. Names do not
                                resolve in ENS until the contract knows it
  gatefold names remove NAME    removes a name; then anyone can register it

Examples:

  gatefold names signer
  gatefold names remove mira.gatefold.alt
`

const sponsor = `Sponsoring: the operations of smart accounts that a project pays for, with the paymaster in
GATEFOLD_SMART_ACCOUNTS.

  gatefold sponsor show PROJECT [--json]    the policy, and what was spent on each chain
  gatefold sponsor set PROJECT [options]    creates or changes the policy
  gatefold sponsor stop PROJECT             deletes it; what was spent stays counted

  --contract ADDRESS      a contract that sponsored calls may go to; repeat for more; any: all
  --method METHOD         a method that may be called, such as 'mint(uint256)', or send for a payment without
                          data; repeat for more; any: all
  --user-day AMOUNT       limit for each user in a day (UTC), such as 0.01, in the currency of each chain
  --day AMOUNT            limit for all users in a day
  --total AMOUNT          limit for all time

A new policy needs the three limits, and --contract. Limits count the most that an operation can cost. Running
servers apply a change at once.

Examples:

  gatefold sponsor set my-site --contract any --method send --user-day 0.01 --day 1 --total 30
  gatefold sponsor set my-site --total 60
  gatefold sponsor show my-site
`

const backup = `Backups: the encrypted files that users of the secure frame save. Needs no server, database or network.

  gatefold backup open FILE     reads the password from the standard input and prints the secret phrase

Examples:

  gatefold backup open gatefold-backup.json
  gatefold backup open gatefold-backup.json < password.txt
`

const pages = { backup, serve, project, doctor, scam, names, sponsor, verify }

/** Whether a command has a help page. */
export function isCommand(name: string | undefined): name is keyof typeof pages {
  return name !== undefined && Object.hasOwn(pages, name)
}

/** The help page of a command, or the overview. */
export function helpOf(name: string | undefined): string {
  return isCommand(name) ? pages[name] : help
}
