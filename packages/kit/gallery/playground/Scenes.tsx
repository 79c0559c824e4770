import { useEffect, useRef, useState } from 'react'

/** The list of scenes, grouped by view, with a search field. */
export function Scenes(properties: {
  scenes: readonly string[]
  selected: string
  onSelect: (scene: string) => void
}) {
  const { scenes, selected, onSelect } = properties
  const [search, setSearch] = useState('')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [])
  const wanted = search.trim().toLowerCase()
  const found = scenes.filter((scene) => labelOf(scene).toLowerCase().includes(wanted))
  const groups = Map.groupBy(found, (scene) => scene.split('.')[0] ?? '')
  return (
    <nav className="scenes" aria-label="Views">
      <input
        type="search"
        placeholder="Search views"
        aria-label="Search views"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {groups.size === 0 && scenes.length > 0 && <p role="status">No view matches “{search}”.</p>}
      <div className="groups" ref={list}>
        {[...groups].map(([view, states]) => (
          <section key={view} aria-label={view}>
            <h2>{view}</h2>
            <ul>
              {states.map((scene) => (
                <li key={scene}>
                  <button
                    type="button"
                    aria-current={scene === selected ? 'true' : undefined}
                    onClick={() => onSelect(scene)}
                  >
                    {stateOf(scene)}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

/** @example stateOf('Connect.noneOffline') // 'None offline' */
function stateOf(scene: string): string {
  const words = scene
    .slice(scene.indexOf('.') + 1)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return scene.includes('.') ? words.charAt(0).toUpperCase() + words.slice(1) : 'Default'
}

function labelOf(scene: string): string {
  return `${scene} ${stateOf(scene)}`
}
