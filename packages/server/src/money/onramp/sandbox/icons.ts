const icon = (paths: string) =>
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`

/** SVG markup of the icons on the pages of the sandbox. */
export const icons = {
  arrow: icon('<path d="M5 12h14M13 6l6 6-6 6"/>'),
  card: icon('<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18M7 15h3"/>'),
  check: icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>'),
  clock: icon('<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>'),
  cross: icon('<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>'),
  shield: icon('<path d="M12 3.5l7 2.5v5.5c0 4.3-2.9 7.4-7 9-4.1-1.6-7-4.7-7-9V6z"/>'),
  spinner: icon('<path d="M12 4a8 8 0 1 1-7 4.1"/>'),
}
