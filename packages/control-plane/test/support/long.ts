/** Whether this is `npm run test:long`, which makes more of them. */
export const long = process.env.STEADING_LONG_TESTS === '1'
