// Command kubernetes is etcd, the programs of a Kubernetes control plane and kubectl in one file.
// Its first argument says which of them it is; the rest are the arguments of that one.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// withParent, if set, says that standard input is a pipe from the parent, and that the process is
// to end when the parent does, however that ends: the kernel then closes the pipe.
const withParent = "COIL_TESTING_WITH_PARENT"

var programs = map[string]func() int{
	"etcd": func() int {
		etcdmain.Main(os.Args)
		return 0
	},
	"kube-apiserver": func() int {
		return cli.Run(apiserver.NewAPIServerCommand())
	},
	"kube-controller-manager": func() int {
		return cli.Run(controllers.NewControllerManagerCommand())
	},
	"kube-scheduler": func() int {
		return cli.Run(scheduler.NewSchedulerCommand())
	},
	"kubectl": func() int {
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	},
}

func main() {
	var run func() int
	if len(os.Args) > 1 {
		run = programs[os.Args[1]]
	}
	if run == nil {
		fmt.Fprintln(os.Stderr, "the first argument must be one of", slices.Sorted(maps.Keys(programs)))
		os.Exit(2)
	}
	os.Args = os.Args[1:]
	if os.Getenv(withParent) != "" {
		go endWithParent()
	}
	os.Exit(run())
}

func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}
