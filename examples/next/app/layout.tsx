import { gatefoldCookie } from '@gatefold/kit'
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from './providers'

export const metadata: Metadata = {
  title: 'Gatefold with Next.js',
  icons: 'data:,',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers cookie={gatefoldCookie(await cookies())}>{children}</Providers>
      </body>
    </html>
  )
}
