import { Fragment, useState } from 'react'
import { LookChoice } from './toolbar.tsx'
import { Logo } from '../src/ui/logo.tsx'
import { ConfirmModal } from '../src/ui/confirm.tsx'
import { ToastStack } from '../src/ui/toast-stack.tsx'
import { TooltipHost } from '../src/ui/tooltip-host.tsx'
import { choices, type Choice, readLook, showLook } from './look.ts'
import { Buttons } from './sections/buttons.tsx'
import { Charts, SmallCharts } from './sections/charts.tsx'
import { Choosing } from './sections/choosing.tsx'
import { Colours, Type } from './sections/foundations.tsx'
import { Fields } from './sections/fields.tsx'
import { Messages, States } from './sections/states.tsx'
import { Navigation } from './sections/navigation.tsx'
import { Overlays } from './sections/overlays.tsx'
import { Tables, TablesLoading } from './sections/tables.tsx'
import { Cards, Texts } from './sections/texts.tsx'
import type { GallerySection } from './section.tsx'

const sections: GallerySection[] = [
  { id: 'colours', title: 'Colours', Content: Colours },
  { id: 'type', title: 'Type and marks', Content: Type },
  { id: 'buttons', title: 'Buttons', Content: Buttons },
  { id: 'fields', title: 'Fields', Content: Fields },
  { id: 'choices', title: 'Choices', Content: Choosing },
  { id: 'states', title: 'States and tags', Content: States },
  { id: 'messages', title: 'Messages', Content: Messages },
  { id: 'texts', title: 'Values and texts', Content: Texts },
  { id: 'cards', title: 'Cards', Content: Cards },
  { id: 'tables', title: 'Tables', Content: Tables },
  { id: 'tables-without-rows', title: 'Tables without rows', Content: TablesLoading },
  { id: 'navigation', title: 'Navigation', Content: Navigation },
  { id: 'charts', title: 'Charts', Content: Charts },
  { id: 'small-charts', title: 'Small charts', Content: SmallCharts },
  { id: 'overlays', title: 'Menus and dialogs', Content: Overlays },
]

const labels: Record<Choice, string> = { theme: 'Theme', dir: 'Direction', density: 'Density' }

export function Gallery() {
  const [look, setLook] = useState(readLook)
  const choose = (name: Choice, value: string) => {
    const next = { ...look, [name]: value }
    showLook(next)
    setLook(next)
  }
  return (
    <div className="mx-auto flex max-w-[80rem] items-start max-lg:flex-col">
      <header className="sticky top-0 flex w-56 shrink-0 flex-col gap-5 p-6 max-lg:static max-lg:w-full">
        <h1 className="flex items-center gap-2 text-base font-semibold">
          <Logo className="text-accent-text" />
          Design system
        </h1>
        <div className="flex flex-col gap-3 max-lg:flex-row max-lg:flex-wrap">
          {(Object.keys(choices) as Choice[]).map((name) => (
            <LookChoice
              key={name}
              label={labels[name]}
              values={choices[name]}
              value={look[name]}
              onChoose={(value) => choose(name, value)}
            />
          ))}
          <p className="text-xs text-tertiary">
            Forced colours are a setting of the system, or of the browser’s developer tools.
          </p>
        </div>
        <nav aria-label="Sections">
          <ul className="-ms-2 flex flex-col max-lg:flex-row max-lg:flex-wrap">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="nav-link">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main className="flex w-full min-w-0 flex-1 flex-col pb-16">
        {/* Charts read the colours of the theme when they are drawn. */}
        <Fragment key={look.theme}>
          {sections.map(({ id, title, Content }) => (
            <section
              key={id}
              id={id}
              aria-labelledby={`${id}-title`}
              className="flex flex-col gap-6 px-(--gutter) py-6"
            >
              <h2 id={`${id}-title`} className="border-b pb-2 text-xl font-semibold">
                {title}
              </h2>
              <Content />
            </section>
          ))}
        </Fragment>
      </main>
      <ConfirmModal />
      <ToastStack />
      <TooltipHost />
    </div>
  )
}
