/** An SVG image derived from a name. */
export function art(name: string): string {
  let hash = 7
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  const hue = hash % 360
  const dark = `hsl(${hue} 45% ${20 + (hash % 3) * 14}%)`
  const light = `hsl(${(hue + 40) % 360} 60% 82%)`
  const middle = `hsl(${(hue + 200) % 360} 55% 60%)`
  const shapes = [
    `<path d="M20 8 31 30H9z" fill="${light}"/><path d="M20 8v22H9z" fill="${middle}"/>`,
    `<circle cx="20" cy="20" r="11" fill="${light}"/><path d="M20 9a11 11 0 0 1 0 22z" fill="${middle}"/>`,
    `<path d="M10 12h20v16H10z" fill="${light}"/><path d="M10 12h20L20 22z" fill="${middle}"/>`,
    `<path d="M20 8 32 20 20 32 8 20z" fill="${light}"/><path d="M20 8v24L8 20z" fill="${middle}"/>`,
    `<path d="M9 26c4-14 18-14 22 0z" fill="${light}"/><circle cx="20" cy="14" r="5" fill="${middle}"/>`,
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0h40v40H0z" fill="${dark}"/>${shapes[hash % shapes.length]}</svg>`
}
