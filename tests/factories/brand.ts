import { readEnvironment } from "~/env.server";
import { composeBrand } from "~/services/composition/brand.server";

/** The brand without settings: the example's. */
export const brand = composeBrand(readEnvironment({ NODE_ENV: "test" }));
