import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { Pill } from './Pill.tsx'

function html(pill: React.ReactNode) {
  return renderToStaticMarkup(<MemoryRouter>{pill}</MemoryRouter>)
}

test('§2.3 a pill with `to` renders a link with the given target', () => {
  expect(
    html(
      <Pill to="/first" target="_blank">
        Turn the page
      </Pill>,
    ),
  ).toMatchInlineSnapshot(
    `"<a class="pill" data-kind="accent" rel="noopener" href="/first" target="_blank" data-discover="true">Turn the page</a>"`,
  )
})

test('§2.3 a pill with `href` renders a link', () => {
  expect(html(<Pill href="https://ethereum.org">Out</Pill>)).toMatchInlineSnapshot(
    `"<a class="pill" data-kind="accent" href="https://ethereum.org">Out</a>"`,
  )
})

test('§2.3 a pill with neither `to` nor `href` renders a div', () => {
  expect(
    html(
      <Pill kind="ghost" id="note">
        Read
      </Pill>,
    ),
  ).toMatchInlineSnapshot(`"<div id="note" class="pill" data-kind="ghost">Read</div>"`)
})
