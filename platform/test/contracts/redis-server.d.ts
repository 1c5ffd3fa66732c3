/** A Redis of the test's own, on a free port, that writes down every change before it answers. */
export interface RedisServer {
    readonly url: string;
    /** As the machine's power button would. */
    killHard(): Promise<void>;
    /** On the same port, with what the one before had written. */
    start(): Promise<void>;
    /** Ends it for good and removes its data. */
    stop(): Promise<void>;
}
/** Null where there is no `redis-server` and none can be installed. */
export declare function startRedisServer(): Promise<RedisServer | null>;
/** Why no Redis is at hand, as it is printed. */
export declare const noRedis = "REDIS_URL is not set and no redis-server can be had";
//# sourceMappingURL=redis-server.d.ts.map