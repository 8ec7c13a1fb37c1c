import { setDemoTour } from '@steading/console/src/identity/session/demo.ts'
import { loadPart, whenDrawnAndIdle } from '@steading/console/src/ui/lazy-part.ts'
import { rememberedStep, rememberStep } from './progress.ts'
import type { OpenTour, Pages } from './tour.ts'

/** Offers the tour: to new visitors at once, and to everyone in the banner. */
export function hostTour(pages: Pages): void {
  let opened: Promise<OpenTour> | undefined
  const open = (step: number): Promise<OpenTour> => {
    const ended = () => (opened = undefined)
    opened ??= loadPart(() => import('./tour.ts')).then(({ openTour }) =>
      openTour(step, pages, ended),
    )
    opened.catch(ended)
    return opened
  }
  setDemoTour(() => {
    const step = rememberedStep(localStorage) ?? 0
    rememberStep(localStorage, step)
    void open(step).then(({ focus }) => focus())
  })
  const step = rememberedStep(localStorage)
  if (step === undefined || /^\/(login|device)\//.test(location.pathname)) return
  void whenDrawnAndIdle().then(() => open(step))
}
