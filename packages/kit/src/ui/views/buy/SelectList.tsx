import { useState } from 'react'
import type { ReactNode } from 'react'

import { check, retry } from '../../icons/base.ts'
import { search as searchIcon } from '../../icons/wallets.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row } from '../../parts/List.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'

/** Minimum number of items for which a search field is shown. */
const searchFrom = 6
/** Maximum number of rows in the list; the search finds the others. */
const maxRows = 100

/** A list from which the visitor chooses one item, with a search. */
export function SelectList<item>(props: {
  /** The items' query; `options` is undefined until it has loaded. */
  source: { options: object | undefined; isFailed: boolean; isFetching: boolean; retry: () => void }
  /** The texts shown while the query loads and after it fails. The default texts are about providers. */
  loading?: string
  /** The heights of the placeholders. By default, those of a search and a long list. */
  heights?: readonly number[]
  failed?: string
  label: string
  searchLabel: string
  items: readonly item[]
  /** The id, the texts and the picture of an item. */
  describe: (item: item) => {
    id: string
    title: string
    note: string
    start: ReactNode
    isCurrent: boolean
  }
  onChoose: (item: item) => void
}) {
  const { source, label, items } = props
  const t = useText(buyText)
  const [search, setSearch] = useState('')
  if (source.isFailed)
    return (
      <div className="gf-body">
        <Empty plate="torn" role="alert" title={props.failed ?? t('buy.optionsFailed')}>
          {t('buy.optionsFailedHint')}
        </Empty>
        <Button kind="primary" icon={retry} busy={source.isFetching} onClick={source.retry}>
          {t('buy.tryAgain')}
        </Button>
      </div>
    )
  if (!source.options)
    return (
      <div className="gf-body">
        <Skeletons label={props.loading ?? t('buy.loading')} heights={props.heights ?? [48, 392]} />
      </div>
    )
  const query = search.trim().toLowerCase()
  const rows = items
    .map((item) => ({ item, ...props.describe(item) }))
    .filter(({ title, note }) => `${title} ${note}`.toLowerCase().includes(query))
    .slice(0, maxRows)
  return (
    <div className="gf-body">
      {items.length >= searchFrom && (
        <Field
          type="search"
          icon={searchIcon}
          label={props.searchLabel}
          value={search}
          onChange={setSearch}
        />
      )}
      {rows.length > 0 && (
        <Scroll max={392}>
          <List label={label}>
            {rows.map(({ item, id, title, note, start, isCurrent }) => (
              <Row
                key={id}
                start={start}
                title={title}
                note={note}
                current={isCurrent}
                end={
                  isCurrent && (
                    <span style={{ color: 'var(--gf-accent-text)' }}>
                      <Icon d={check} />
                    </span>
                  )
                }
                onClick={() => props.onChoose(item)}
              />
            ))}
          </List>
        </Scroll>
      )}
      {rows.length === 0 && items.length > 0 && (
        <>
          <Empty plate="search" title={t('buy.noMatch', { x: search.trim() })}>
            {t('buy.noMatchHint')}
          </Empty>
          <Button onClick={() => setSearch('')}>{t('buy.showAll')}</Button>
        </>
      )}
      {items.length === 0 && <Empty title={t('buy.unavailable')}>{t('buy.unavailableHint')}</Empty>}
    </div>
  )
}
