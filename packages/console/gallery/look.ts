/** The choices of the toolbar, kept in the address: `?theme=light&dir=rtl&density=compact`. */
export const choices = {
  theme: ['dark', 'light'],
  dir: ['ltr', 'rtl'],
  density: ['comfortable', 'compact'],
} as const

export type Choice = keyof typeof choices
export type Look = { [Name in Choice]: (typeof choices)[Name][number] }

/** The look that the address names; the first one of each choice is the default. */
export function readLook(): Look {
  const search = new URLSearchParams(location.search)
  const chosen = Object.entries(choices).map(([name, values]) => {
    const value = search.get(name)
    return [name, values.find((each) => each === value) ?? values[0]]
  })
  return Object.fromEntries(chosen) as Look
}

export function applyLook({ theme, dir, density }: Look): void {
  const root = document.documentElement
  root.dir = dir
  Object.assign(root.dataset, { theme, density })
}

/** Puts the look into the address and onto the page. */
export function showLook(look: Look): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(look)) url.searchParams.set(name, value)
  history.replaceState(null, '', url)
  applyLook(look)
}
