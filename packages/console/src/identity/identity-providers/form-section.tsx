import type { ReactNode } from 'react'

/** Fields of a long form that belong together. */
export const FormSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex flex-col gap-5 border-t pt-5">
    <legend className="float-left w-full pb-1 text-base font-medium">{title}</legend>
    {children}
  </fieldset>
)
