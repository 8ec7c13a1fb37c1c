/** The password of all users of the demo; undefined outside of the demo. */
export const demoPassword = import.meta.env.VITE_DEMO as string | undefined
