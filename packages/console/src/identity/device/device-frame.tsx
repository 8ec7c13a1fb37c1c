import type { ReactNode } from 'react'
import { Logo } from '../../ui/logo.tsx'

/** A card in the middle of the page, with the logo at the bottom. */
export const DeviceFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <main
    id="content"
    tabIndex={-1}
    className="flex min-h-dvh flex-col items-center bg-sunken px-4 pt-(--banner-height) pb-8"
  >
    <div className="flex w-full max-w-md flex-1 flex-col justify-center">
      <div className="flex flex-col items-center rounded-card border bg-raised px-6 py-10 text-center max-sm:px-4">
        <h1 className="mb-2 text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </div>
    <div className="mt-8 flex items-center gap-2 text-base font-semibold text-secondary">
      <Logo size={22} className="text-accent-text" /> Steading
    </div>
  </main>
)
