import { gatefoldCookie } from '@gatefold/kit'
import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { getRequestHeader } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { Providers } from '../providers'

const getCookie = createServerFn().handler(() => gatefoldCookie(getRequestHeader('cookie')))

export const Route = createRootRoute({
  loader: async () => ({ cookie: await getCookie() }),
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: 'Gatefold with TanStack Start' },
    ],
    links: [{ rel: 'icon', href: 'data:,' }],
  }),
  shellComponent: Document,
  component: App,
})

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

function App() {
  return (
    <Providers cookie={Route.useLoaderData().cookie}>
      <Outlet />
    </Providers>
  )
}
