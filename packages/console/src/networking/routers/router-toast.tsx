import { addToast } from '../../ui/toasts.tsx'

export const saidOf = (
  what: 'Router' | 'Route',
  name: string,
  done: 'created' | 'updated' | 'deleted',
) =>
  addToast({
    content: (
      <>
        {what} <b>{name}</b> {done}
      </>
    ),
  })
