/** Which page is shown, by its address. */

type Route =
  | { page: 'home' }
  | { page: 'table'; table: string; invite: string }
  | { page: 'claim'; table: string; code: string }
  | { page: 'replay'; table: string; number: number };

function routeOf(path: string, hash: string): Route {
  const [, kind = '', table = '', number = ''] = path.split('/');
  const secret = hash.slice(1);
  if (kind === 't' && table) return { page: 'table', table, invite: secret };
  if (kind === 'd' && table) return { page: 'claim', table, code: secret };
  if (kind === 'r' && table && /^[1-9]\d*$/.test(number)) return { page: 'replay', table, number: Number(number) };
  return { page: 'home' };
}

class Router {
  route: Route = $state.raw({ page: 'home' });
  /** Whether the heading of the next page takes the focus, as the element that had it is gone. */
  shouldFocus = false;

  constructor() {
    if (typeof location === 'undefined') return;
    this.read();
    addEventListener('popstate', () => {
      this.shouldFocus = true;
      this.read();
    });
  }

  go(address: string): void {
    history.pushState(null, '', address);
    this.shouldFocus = true;
    this.read();
    scrollTo(0, 0);
  }

  private read(): void {
    this.route = routeOf(location.pathname, location.hash);
  }
}

export const router = new Router();

/** Attached to the heading of a page: after a link it takes the focus, so that screen readers announce the page. */
export function focusHeading(heading: HTMLElement): void {
  if (!router.shouldFocus) return;
  router.shouldFocus = false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
