import type { ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useRouteLoaderData,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaArgs,
} from 'react-router'
import sans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'
import serif from '@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2?url'
import { serverContext } from './config.ts'
import { ErrorScreen } from './parts/ErrorScreen.tsx'
import { Film } from './parts/Film.tsx'
import { FontService } from './parts/FontService.tsx'
import { Footer } from './parts/Footer.tsx'
import { useNonce } from './parts/requestContext.ts'
import { ToastArea } from './parts/ToastArea.tsx'
import './styles/fonts.css'
import './styles/book.css'

const title = 'Book of Ethereum'
const description = 'Journey through the Ethereum saga'

export function loader({ context }: LoaderFunctionArgs) {
  return context.get(serverContext).config
}

// The configuration does not change while the server runs.
export const shouldRevalidate = () => false

export const links: LinksFunction = () => [
  ...[sans, serif].map((href) => ({
    rel: 'preload',
    as: 'font',
    type: 'font/woff2',
    href,
    crossOrigin: 'anonymous' as const,
  })),
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
]

export function meta({ loaderData, error }: MetaArgs<typeof loader>) {
  const origin = loaderData?.origin ?? ''
  return [
    { title: error ? `${errorHeading(error)} · ${title}` : title },
    { name: 'description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: title },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${origin}/` },
    { property: 'og:image', content: `${origin}/card.jpg` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: `${title}: ${description}` },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'theme-color', content: '#080604' },
    { name: 'color-scheme', content: 'dark' },
  ]
}

export function Layout({ children }: { children: ReactNode }) {
  // Undefined if the loader failed; the error page renders without a configuration.
  const config = useRouteLoaderData<typeof loader>('root')
  const nonce = useNonce()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <Meta />
        <Links nonce={nonce} />
        {config?.fontStylesheet && <FontService href={config.fontStylesheet} />}
      </head>
      <body className="book">
        <Film />
        <ToastArea>
          {children}
          <Footer links={config?.links ?? []} />
        </ToastArea>
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}

/** The error page, for route errors and unexpected errors (spec §2.1.2). */
export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorScreen heading={errorHeading(error)} message={errorMessage(error)} />
}

function errorHeading(error: unknown) {
  if (!isRouteErrorResponse(error)) return 'Oops!'
  return error.status === 404 ? '404' : 'Error'
}

function errorMessage(error: unknown) {
  if (!isRouteErrorResponse(error)) return 'An unexpected error occurred.'
  return error.status === 404 ? 'The requested page could not be found.' : error.statusText
}
