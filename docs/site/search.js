/** Search of the documentation. The sections are loaded when the field gets the focus. */
import MiniSearch from './minisearch.js'
import { indexOptions } from './index-options.js'

const field = document.getElementById('search')
const list = document.getElementById('results')
const said = document.getElementById('said')
const SHOWN = 12

let index
const load = () =>
  (index ??= fetch('sections.json')
    .then((answer) => answer.json())
    .then((sections) => {
      const search = new MiniSearch(indexOptions)
      search.addAll(sections)
      return search
    })
    .catch((error) => {
      index = undefined
      throw error
    }))

let chosen = -1
const choose = (next) => {
  chosen = next
  for (const [at, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(at === chosen))
    if (at === chosen) item.scrollIntoView({ block: 'nearest' })
  }
  if (chosen < 0) field.removeAttribute('aria-activedescendant')
  else field.setAttribute('aria-activedescendant', `result-${chosen}`)
}

const close = () => {
  list.hidden = true
  field.setAttribute('aria-expanded', 'false')
  choose(-1)
}

const show = (results) => {
  list.replaceChildren(
    ...results.map(({ url, page, title }, at) => {
      const item = document.createElement('li')
      item.id = `result-${at}`
      item.setAttribute('role', 'option')
      item.dataset.url = url
      item.textContent = title
      const place = document.createElement('small')
      place.textContent = page
      if (page !== title) item.append(place)
      return item
    }),
  )
  list.hidden = results.length === 0
  field.setAttribute('aria-expanded', String(results.length > 0))
  choose(results.length > 0 ? 0 : -1)
}

const search = async () => {
  const text = field.value.trim()
  if (text === '') {
    said.textContent = ''
    return close()
  }
  try {
    const results = (await load()).search(text)
    // Ignores an outdated answer.
    if (field.value.trim() !== text) return
    show(results.slice(0, SHOWN))
    said.textContent = results.length === 0 ? 'Nothing found' : `${results.length} results`
  } catch {
    said.textContent = 'The search could not be loaded'
  }
}

field.addEventListener('focus', () => load().catch(() => {}))
field.addEventListener('input', () => void search())
field.addEventListener('blur', () => setTimeout(close, 150))
field.addEventListener('keydown', (event) => {
  const count = list.children.length
  if (event.key === 'Escape') close()
  else if (list.hidden) return
  else if (event.key === 'ArrowDown') choose((chosen + 1) % count)
  else if (event.key === 'ArrowUp') choose((chosen - 1 + count) % count)
  else if (event.key === 'Enter' && chosen >= 0) location.href = list.children[chosen].dataset.url
  else return
  event.preventDefault()
})
list.addEventListener('mousedown', (event) => {
  const item = event.target.closest('[data-url]')
  if (item) location.href = item.dataset.url
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return
  event.preventDefault()
  field.focus()
})

// The contents also unfold on a phone without this script; on a desktop they are always shown.
const wide = matchMedia('(min-width: 801px)')
const unfold = () => (document.getElementById('contents').open = wide.matches)
wide.addEventListener('change', unfold)
unfold()
