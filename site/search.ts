// How the search of the site ranks. It is run in the browser, from an index that is made with the site. The functions are sent as
// text, so they use nothing but their arguments.
import type { DefaultTheme } from 'vitepress'

export const search: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    options: {
      /** Questions are typed as sentences: words that every page has would decide. */
      processTerm: (term) =>
        /^(?:an?|and|are|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|the|to|what|with)$/i.test(term)
          ? null
          : term.toLowerCase(),
    },
    searchOptions: {
      /** A short word has too many neighbours: date, data, rate. */
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      /** Guides come before reasons and before what is read at night. */
      boostDocument: (id) => (/[/](?:decisions|runbooks|why)[/]/.test(id) ? 0.5 : 1),
    },
  },
}
