import { gatefoldCookie } from '@gatefold/kit'
import type { ReactNode } from 'react'
import { Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root'
import { Providers } from './providers'

export function loader({ request }: Route.LoaderArgs) {
  return { cookie: gatefoldCookie(request.headers.get('cookie')) }
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <Providers cookie={loaderData.cookie}>
      <Outlet />
    </Providers>
  )
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Gatefold with React Router</title>
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}
